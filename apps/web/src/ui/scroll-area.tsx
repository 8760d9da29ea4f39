'use client';
import { type ReactNode, useEffect, useRef, useState } from 'react';

type AreaProps = { label: string; className: string; children: ReactNode };

/** Scrolls on its own. Where there is something to scroll it takes focus, so that the keyboard can do it too. */
export function ScrollArea({ label, className, children }: AreaProps) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () =>
      setScrolls(element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth);
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  const reachable = scrolls ? { tabIndex: 0, role: 'region', 'aria-label': label } : {};
  return (
    <div ref={box} className={className} {...reachable}>
      {children}
    </div>
  );
}
