/** How large a body may be, in MB: a schedule has its inputs in it. */
export const megabyte = 1024 * 1024;

export const bodyMb = 8;

export const scheduleBodyMb = 64;
