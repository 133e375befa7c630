/** Loaded before a program (`node --import`): writes its peak memory in bytes when it ends. */
import { writeFileSync } from 'node:fs';

const { BENCH_PEAK_MEMORY: file } = process.env;
if (file !== undefined) process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)));
