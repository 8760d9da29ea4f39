/** A plate with one slot. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <rect x="1.25" y="1.25" width="21.5" height="21.5" rx="6.25" className="fill-accent" />
      <rect x="6" y="10.25" width="12" height="3.5" rx="1.75" className="fill-on-accent" />
    </svg>
  );
}
