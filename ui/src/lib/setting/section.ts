// The sections of the settings, in order.

/** A section of the settings. */
export type Section = 'general' | 'services' | 'models' | 'keys' | 'permissions' | 'web' | 'notes' | 'shortcuts' | 'about';

/** The sections, in order. */
export const SECTIONS: readonly Section[] = ['general', 'services', 'models', 'keys', 'permissions', 'web', 'notes', 'shortcuts', 'about'];
