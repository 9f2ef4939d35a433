/** Escapes text for HTML content and quoted attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
