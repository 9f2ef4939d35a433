import { network, type Template } from "../schemes/senders/template.ts";

export const salesforce: Template = {
  title: "Salesforce outbound messages",
  ...network,
  reading: {
    body: "xml",
    items: "Envelope.Body.notifications.Notification",
    id: ["Id"],
    type: ["text:outbound.message"],
    created: ["sObject.LastModifiedDate", "sObject.SystemModstamp"],
  },
  answer: {
    xml: '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><notificationsResponse xmlns="http://soap.sforce.com/2005/09/outbound"><Ack>true</Ack></notificationsResponse></soapenv:Body></soapenv:Envelope>',
  },
  records: "generic",
  record: { kind: "object", id: "sObject.Id", title: "sObject.Name" },
  secretHint: "Salesforce signs nothing: list the networks that it posts from.",
  retries: "Retries for 24 hours, at growing intervals.",
  retryHours: 24,
  docsUrl: "https://developer.salesforce.com/docs/atlas.en-us.api.meta/api/sforce_api_om_outboundmessaging.htm",
  unchecked: ["when it tries again"],
};
