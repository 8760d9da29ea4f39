import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

// Our type scale has names of its own; without this `text-2xs` would be taken for a colour.
const merge = extendTailwindMerge({
  extend: { classGroups: { 'font-size': [{ text: ['2xs', 'xs', 'sm', 'base', 'md', 'lg', 'xl', '2xl'] }] } },
});

export const cn = (...values: ClassValue[]): string => merge(clsx(values));
