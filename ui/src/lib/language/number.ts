// Counts, shares, sums of money and sizes of files, in the language in effect.

import { language } from './language.svelte';

/** From here on a count is said in short. */
const LONG = 10_000;
/** Billionths in one dollar. */
const DOLLAR = 1_000_000_000;
/** The smallest sum that is told exactly, in billionths of a dollar. */
const LEAST = 100_000;

const formats: Record<string, Intl.NumberFormat> = {};

function format(kind: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return (formats[`${language.current} ${kind}`] ??= new Intl.NumberFormat(language.current, options));
}

/** A whole count, such as "12,345". */
export function countText(count: number): string {
  return format('count', { maximumFractionDigits: 0 }).format(count);
}

/** A count where there is little room: "1,240", "12.3K", "1.2万". */
export function shortCountText(count: number): string {
  if (count < LONG) return countText(count);
  return format('short', { notation: 'compact', maximumSignificantDigits: 3 }).format(count);
}

/** A part of a whole in percent, without the sign. Only nothing is 0, and only all of it is 100. */
export function shareText(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return countText(0);
  if (part >= whole) return countText(100);
  return countText(Math.min(99, Math.max(1, Math.round((part / whole) * 100))));
}

/** A sum in billionths of a dollar, such as "$0.0021" or "< $0.0001". Nothing is "$0.00". */
export function moneyText(billionths: number): string {
  if (billionths > 0 && billionths < LEAST) return `< ${moneyText(LEAST)}`;
  const small = billionths < DOLLAR;
  return format(small ? 'cents' : 'money', {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: small ? 4 : 2,
  }).format(billionths / DOLLAR);
}

/** A file's size, such as "820 KB" or "1.4 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [size, unit] = bytes < 999_500 ? [bytes / 1000, 'KB'] : [bytes / 1_000_000, 'MB'];
  return `${Number(size.toFixed(size < 10 ? 1 : 0))} ${unit}`;
}
