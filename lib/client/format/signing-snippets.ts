export type SigningSnippet = {
  language: "curl" | "node" | "python" | "go" | "php" | "ruby";
  label: string;
  file: string;
  run: string;
  code: string;
};

/** Returns programs that send one signed event, without libraries. They read the secret from WEBHOOK_SECRET, so that none contains it. */
export function signingSnippets(url: string): SigningSnippet[] {
  // In a normalized URL only the apostrophe can end a string of any of the languages.
  const { href } = new URL(url);
  return [
    { language: "curl", label: "curl", file: "send.sh", run: "sh send.sh", code: curl(href.replaceAll("'", "'\\''")) },
    { language: "node", label: "Node.js", file: "send.mjs", run: "node send.mjs", code: node(href) },
    { language: "python", label: "Python", file: "send.py", run: "python3 send.py", code: python(href) },
    { language: "go", label: "Go", file: "send.go", run: "go run send.go", code: go(href) },
    { language: "php", label: "PHP", file: "send.php", run: "php send.php", code: php(href.replaceAll("'", "\\'")) },
    { language: "ruby", label: "Ruby", file: "send.rb", run: "ruby send.rb", code: ruby(href) },
  ];
}

const curl = (url: string) => `now=$(date +%s)
body='{"id":"evt_curl_'$now'","type":"document.processed","created":'$now',"data":{"documentId":"doc_test","organizationId":"org_test","status":"completed","metadata":{}}}'
signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/.* //')

curl -sS '${url}' \\
  -H 'content-type: application/json' \\
  -H "x-webhook-signature: $signature" \\
  --data-binary "$body"
`;

const node = (url: string) => `import { createHmac } from "node:crypto";
import { env } from "node:process";

const now = Math.floor(Date.now() / 1000);
const body = JSON.stringify({
  id: \`evt_node_\${now}\`,
  type: "document.processed",
  created: now,
  data: { documentId: "doc_test", organizationId: "org_test", status: "completed", metadata: {} },
});
const signature = createHmac("sha256", env.WEBHOOK_SECRET).update(body).digest("hex");

const response = await fetch("${url}", {
  method: "POST",
  headers: { "content-type": "application/json", "x-webhook-signature": signature },
  body,
});
console.log(response.status, await response.text());
`;

const python = (url: string) => `import hashlib, hmac, json, os, time
from urllib.request import Request, urlopen

now = int(time.time())
body = json.dumps({
    "id": f"evt_python_{now}",
    "type": "document.processed",
    "created": now,
    "data": {"documentId": "doc_test", "organizationId": "org_test", "status": "completed", "metadata": {}},
}).encode()
signature = hmac.new(os.environ["WEBHOOK_SECRET"].encode(), body, hashlib.sha256).hexdigest()

headers = {"content-type": "application/json", "x-webhook-signature": signature}
print(urlopen(Request("${url}", data=body, headers=headers)).read().decode())
`;

const go = (url: string) => `package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func main() {
	now := time.Now().Unix()
	body := []byte(fmt.Sprintf(\`{"id":"evt_go_%d","type":"document.processed","created":%d,"data":{"documentId":"doc_test","organizationId":"org_test","status":"completed","metadata":{}}}\`, now, now))
	mac := hmac.New(sha256.New, []byte(os.Getenv("WEBHOOK_SECRET")))
	mac.Write(body)

	request, err := http.NewRequest("POST", "${url}", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("x-webhook-signature", hex.EncodeToString(mac.Sum(nil)))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(response.Status, string(answer))
}
`;

const php = (url: string) => `<?php
$now = time();
$body = json_encode([
    "id" => "evt_php_$now",
    "type" => "document.processed",
    "created" => $now,
    "data" => ["documentId" => "doc_test", "organizationId" => "org_test", "status" => "completed", "metadata" => new stdClass()],
]);
$signature = hash_hmac("sha256", $body, getenv("WEBHOOK_SECRET"));

echo file_get_contents('${url}', false, stream_context_create(["http" => [
    "method" => "POST",
    "header" => "content-type: application/json\\r\\nx-webhook-signature: $signature",
    "content" => $body,
    "ignore_errors" => true,
]])), "\\n";
`;

const ruby = (url: string) => `require "json"
require "net/http"
require "openssl"

now = Time.now.to_i
body = JSON.generate({
  id: "evt_ruby_#{now}",
  type: "document.processed",
  created: now,
  data: { documentId: "doc_test", organizationId: "org_test", status: "completed", metadata: {} }
})
signature = OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("WEBHOOK_SECRET"), body)

response = Net::HTTP.post(URI("${url}"), body, "content-type" => "application/json", "x-webhook-signature" => signature)
puts response.code, response.body
`;
