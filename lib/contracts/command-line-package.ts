/**
 * Returns the path of the packed command line that an installation of this version
 * serves. npm keeps what it has fetched from a URL, so the version is part of it.
 */
export const commandLinePath = (version: string): string => `/cli/signalbox-cli-${version}.tgz`;
