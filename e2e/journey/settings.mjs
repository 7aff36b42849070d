// The settings that a finished guide leaves, for journeys that begin after it.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Sets the scripted service up, without a key. */
export async function writeSettings(desktop, service, { language = 'en', theme = 'light' } = {}) {
  const settings = `setup_done: true
language: ${language}
theme: ${theme}
services:
  - { id: scripted, name: Scripted, base_url: "${service.url}", protocol: openai_chat }
model: { service: scripted, model: ${service.model} }
`;
  await writeFile(join(desktop.dataRoot, 'settings.yaml'), settings);
}
