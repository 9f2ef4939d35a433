-- Types whose events the rule is about, beginnings as document.* among them; empty for all. The release before alerts about all.
ALTER TABLE "alert_rules" ADD COLUMN "types" TEXT[] NOT NULL DEFAULT '{}';
