/** Ends words that may come with a full stop of their own, such as an error's. */
export const asSentence = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);
