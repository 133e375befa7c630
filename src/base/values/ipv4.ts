/** Reports whether a text is an IPv4 address: four numbers up to 255 without leading zeros. Works outside of Node too. */
export function isIPv4(text: string): boolean {
  return ipv4.test(text);
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
