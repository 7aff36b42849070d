// The places of the window.

/** What the middle of the window shows. */
export type Place = 'chat' | 'notes' | 'traces' | 'settings';
