/** Text made safe for HTML, in content and in quoted attributes alike. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
