// Where a model may run: the four answers to the guide's second question, and how each becomes a
// service to save.

import type { KeyInput, LocalService, Preset, Protocol, SaveService, ServiceView } from '../backend/bindings';

/** The kinds of places, in the order they are offered. */
export type PlaceKind = 'local' | 'preset' | 'sign_in' | 'address';

/** The kinds of places, in the order they are offered. */
export const PLACE_KINDS: readonly PlaceKind[] = ['local', 'preset', 'sign_in', 'address'];

/** A place the user has chosen. */
export type Place =
  | { kind: 'local'; service: LocalService }
  | { kind: 'preset'; preset: Preset }
  | { kind: 'sign_in'; preset: Preset }
  | { kind: 'address'; name: string; base_url: string; protocol: Protocol };

/** Whether the place has a key step at all: a service on this computer needs no key. */
export function needsKey(place: Place | null): boolean {
  return place?.kind !== 'local';
}

/** Whether continuing without a key makes sense: only an address of one's own may need none. */
export function keyIsOptional(place: Place): boolean {
  return place.kind === 'address';
}

/** The place a configured service was made from, to edit it. */
export function placeOf(service: ServiceView, presets: readonly Preset[]): Place {
  const preset = presets.find((each) => each.id === service.preset);
  return preset === undefined
    ? { kind: 'address', name: service.name, base_url: service.base_url, protocol: service.protocol }
    : { kind: 'preset', preset };
}

/** What is saved for a place. `id` names the service being edited; `baseUrl` overrides a preset's. */
export function serviceToSave(place: Place, id: string | null, baseUrl: string, key: KeyInput): SaveService {
  switch (place.kind) {
    case 'local':
      return {
        id,
        name: place.service.name,
        preset: null,
        base_url: place.service.base_url,
        protocol: 'openai_chat',
        key: { from: 'none' },
      };
    case 'preset':
    case 'sign_in':
      return {
        id,
        name: place.preset.name,
        preset: place.preset.id,
        base_url: baseUrl.trim() === '' ? place.preset.base_url : baseUrl.trim(),
        protocol: place.preset.protocol,
        key,
      };
    case 'address':
      return {
        id,
        name: place.name.trim() === '' ? hostOf(place.base_url) : place.name.trim(),
        preset: null,
        base_url: place.base_url.trim(),
        protocol: place.protocol,
        key,
      };
  }
}

/** The host of an address, or the address itself where it has none to read. */
export function hostOf(address: string): string {
  const trimmed = address.trim();
  const candidate = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  try {
    return new URL(candidate).host;
  } catch {
    return trimmed;
  }
}

/** Whether a search for a preset means this one: by either name, its id or its host. */
export function presetMatches(preset: Preset, query: string): boolean {
  const words = query.trim().toLowerCase().split(/\s+/).filter((word) => word !== '');
  const text = [preset.name, preset.name_zh, preset.id, hostOf(preset.base_url)].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
