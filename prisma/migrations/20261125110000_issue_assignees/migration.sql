-- The member of the workspace who is to look after an issue. The end of the membership empties this column and no other.
ALTER TABLE "issues" ADD COLUMN "assignee_id" TEXT;
ALTER TABLE "issues" ADD CONSTRAINT "issues_workspace_id_assignee_id_fkey" FOREIGN KEY ("workspace_id", "assignee_id")
  REFERENCES "memberships"("workspace_id", "user_id") ON DELETE SET NULL ("assignee_id") ON UPDATE CASCADE;
