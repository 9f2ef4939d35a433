/** A source's name, as it stands in `/webhooks/<name>`: small letters, digits and dashes, at most 63 characters. */
export const SOURCE_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** True for a name that a source can have. Every source is made under this rule, so any other name is unknown without a look-up. */
export const isSourceName = (name: string): boolean => SOURCE_NAME.test(name);
