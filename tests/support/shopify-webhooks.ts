import "@shopify/shopify-api/adapters/web-api";
import { ApiVersion, LogSeverity, shopifyApi } from "@shopify/shopify-api";

/** Headers of a request of Shopify's, besides its signature. */
export const SHOPIFY_HEADERS = {
  "x-shopify-topic": "orders/create",
  "x-shopify-shop-domain": "acme.myshopify.com",
  "x-shopify-api-version": "2026-10",
  "x-shopify-webhook-id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
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
