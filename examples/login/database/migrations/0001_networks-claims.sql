ALTER TABLE "accounts" ADD COLUMN "network" text;--> statement-breakpoint
UPDATE "accounts" SET "network" = "provider";--> statement-breakpoint
ALTER TABLE "accounts" ALTER COLUMN "network" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "claim" uuid;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "claimed_until" timestamp with time zone;--> statement-breakpoint
-- Versions of a network now share one key. Of two rows for one account, keep the one that signed in last.
DELETE FROM "accounts" AS "older" USING "accounts" AS "newer"
WHERE "older"."identifier" = "newer"."identifier"
	AND regexp_replace("older"."provider", '-(1\.0|vk-id)$', '') = regexp_replace("newer"."provider", '-(1\.0|vk-id)$', '')
	AND ("older"."signed_in_at", "older"."id") < ("newer"."signed_in_at", "newer"."id");--> statement-breakpoint
UPDATE "accounts" SET "provider" = regexp_replace("provider", '-(1\.0|vk-id)$', '');
