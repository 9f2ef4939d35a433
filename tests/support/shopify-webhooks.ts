import "@shopify/shopify-api/adapters/web-api";
import { ApiVersion, LogSeverity, shopifyApi } from "@shopify/shopify-api";

/** Headers of a request of Shopify's, besides its signature. */
export const SHOPIFY_HEADERS = {
  "x-shopify-topic": "orders/create",
  "x-shopify-shop-domain": "acme.myshopify.com",
  "x-shopify-api-version": "2026-10",
  "x-shopify-webhook-id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
};

/** The same of one of its Events. */
export const SHOPIFY_EVENT_HEADERS = {
  "shopify-topic": "Product",
  "shopify-action": "update",
  "shopify-shop-domain": "acme.myshopify.com",
  "shopify-api-version": "unstable",
  "shopify-webhook-id": "0d1cb1a4-6c3c-4f2f-9e3c-0d9b8a4a5b11",
  "shopify-triggered-at": "2026-11-23T12:00:00.000Z",
};

/** True when Shopify's own library takes a request, by the client secret of an app. */
export async function shopifyTakes(apiSecretKey: string, body: string, headers: Record<string, string>): Promise<boolean> {
  const { webhooks } = shopifyApi({
    ...{ apiKey: "key", apiSecretKey, hostName: "app.example.com", apiVersion: Object.values(ApiVersion)[0] as ApiVersion },
    isEmbeddedApp: false,
    logger: { level: LogSeverity.Error },
  });
  const rawRequest = new Request("https://app.example.com/hooks", { method: "POST", headers });
  return (await webhooks.validate({ rawBody: body, rawRequest })).valid;
}
