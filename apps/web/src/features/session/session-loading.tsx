import { Skeleton } from '../../ui/skeleton.tsx';

/** The session page before anything of it is known, in the places where things will stand. */
export function SessionLoading() {
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-12 shrink-0 items-center border-b border-line px-4">
        <Skeleton className="w-48" />
      </div>
      <div className="mx-auto w-full max-w-[760px] flex-1 px-3 py-6 sm:px-6">
        <TranscriptSkeleton />
      </div>
    </div>
  );
}

export function TranscriptSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-3">
      <Skeleton className="h-12 w-2/3 self-end rounded-lg" />
      <Skeleton className="w-11/12" />
      <Skeleton className="w-4/5" />
      <Skeleton className="h-20 rounded-lg" />
    </div>
  );
}
