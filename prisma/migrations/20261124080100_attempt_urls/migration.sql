-- Attempts of earlier versions kept the whole URL: its path and query hold tokens (docs/decisions/0088).
UPDATE "forward_attempts" SET "url" = substring("url" FROM '^https?://[^/?#]+') || '/[hidden]'
WHERE "url" ~ '^https?://[^/?#]+(/[^#]|[?])' AND "url" NOT LIKE '%/[hidden]';
