/** Figures with three digits and a unit. */

export function inTime(ms: number): string {
  return ms < 1000 ? `${digits(ms)} ms` : `${digits(ms / 1000)} s`;
}

export function inMegabytes(bytes: number, decimals = 0): string {
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${(bytes / 1e6).toLocaleString('en', options)} MB`;
}

export function inRate(perSecond: number): string {
  return `${Math.round(perSecond).toLocaleString('en')}/s`;
}

export function digits(figure: number): string {
  if (figure >= 100) return Math.round(figure).toLocaleString('en');
  return figure.toFixed(figure >= 10 ? 1 : 2);
}
