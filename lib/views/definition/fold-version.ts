/**
 * The version of the fold: raise it with every change that makes other records of the same events (definitions, names
 * of facts, the fold itself). Workspaces whose records were made by an earlier one are rebuilt. A test compares the
 * definitions with those that it was last raised for.
 */
export const FOLD_VERSION = 2;
