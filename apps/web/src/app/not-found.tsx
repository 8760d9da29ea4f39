import { NothingHere } from '../features/shell/nothing-here.tsx';

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <NothingHere />
    </main>
  );
}
