/** Raise it with every change that makes other records of the same events: earlier records are rebuilt. A test compares definitions. */
export const FOLD_VERSION = 2;
