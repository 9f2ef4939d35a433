import product from "../../package.json" with { type: "json" };

/** The version of this Signalbox, as package.json says it. */
export const PRODUCT_VERSION: string = product.version;
