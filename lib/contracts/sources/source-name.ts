export const SOURCE_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** True for a valid name: any other is unknown without a look-up. */
export const isSourceName = (name: string): boolean => SOURCE_NAME.test(name);
