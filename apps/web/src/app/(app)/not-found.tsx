import { NothingHere } from '../../features/shell/nothing-here.tsx';

export default function NotFound() {
  return (
    <div className="grid min-h-full place-items-center">
      <NothingHere />
    </div>
  );
}
