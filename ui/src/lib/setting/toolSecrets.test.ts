import { describe, expect, it } from 'vitest';
import { answering, failure } from '../backend/answering';
import { ToolSecrets } from './toolSecrets.svelte';

describe('secrets for commands', () => {
  it('are shown by name after they were kept', async () => {
    const backend = answering({ save_tool_secret: () => null, list_tool_secrets: () => [{ name: 'TOKEN' }] });
    const secrets = new ToolSecrets(backend);
    expect(await secrets.save('TOKEN', 'value')).toBe(true);
    expect(secrets.names).toEqual(['TOKEN']);
    expect(backend.asked[0]).toEqual({ name: 'save_tool_secret', args: { name: 'TOKEN', value: 'value' } });
  });

  it('are not forgotten in the form when they could not be kept', async () => {
    const secrets = new ToolSecrets(
      answering({
        save_tool_secret: () => {
          throw failure('keyring');
        },
      }),
    );
    expect(await secrets.save('TOKEN', 'value')).toBe(false);
    expect(secrets.error?.code).toBe('keyring');
  });
});
