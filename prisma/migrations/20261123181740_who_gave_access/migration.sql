-- Who made an invitation or an API key, by id: a person, or the key that was used. The name beside it is for people.
ALTER TABLE "invitations" ADD COLUMN "created_by_id" TEXT;
ALTER TABLE "api_keys" ADD COLUMN "created_by_id" TEXT;
