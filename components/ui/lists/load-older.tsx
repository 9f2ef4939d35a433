import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "#components/ui/primitives/button";

type LoadOlderProps = {
  query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  className: string;
};

export function LoadOlder({ query: { hasNextPage, isFetchingNextPage, fetchNextPage }, className }: LoadOlderProps) {
  if (!hasNextPage) return null;
  return (
    <Button className={className} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      Load older
    </Button>
  );
}
