/** A recording of a terminal as an SVG image that plays by itself, without a script. */
import type { Scene } from './recorded.ts';
import {
  charWidth,
  drawLines,
  fontSize,
  fonts,
  lineHeight,
  margin,
  palettes,
  plainText,
  type Theme,
} from './terminal.ts';

const [columns, rows] = [92, 27];
/** Seconds. */
const [typing, thinking, pause] = [0.5, 0.2, 0.1];

interface Timed {
  scene: Scene;
  start: number;
  /** The time when the output appears. */
  answer: number;
  end: number;
}

export function recordingSvg(scenes: readonly Scene[], theme: Theme): string {
  const timed: Timed[] = [];
  for (const scene of scenes) {
    const start = timed.at(-1)?.end ?? 0;
    // The first picture is a finished plan.
    const answer = timed.length === 0 ? start : start + pause + typing + thinking;
    timed.push({ scene, start, answer, end: answer + scene.seconds });
  }
  const total = timed.at(-1)?.end ?? 0;
  const { background, text } = palettes[theme];
  const width = Math.ceil(columns * charWidth + 2 * margin);
  const height = rows * lineHeight + 2 * margin;
  const parts = timed.map((each, index) => sceneParts(each, index, total, theme));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>A terminal in which ${scenes.map(({ command }) => command).join(', ')} run</title>
<style>g[id]{visibility:hidden;animation:${total.toFixed(2)}s infinite step-end}.cover{animation:${total.toFixed(2)}s infinite}
${parts.map(({ style }) => style).join('\n')}
@media (prefers-reduced-motion:reduce){g[id]{animation:none!important}#a0{visibility:visible}}</style>
<rect width="100%" height="100%" rx="8" fill="${background}"/>
<g font-family="${fonts}" font-size="${fontSize}" fill="${text}" xml:space="preserve">
${parts.map(({ drawing }) => drawing).join('\n')}
</g>
</svg>
`;
}

/** Returns a group for the command while it is typed, one for the command with its output, and the times when they are visible. */
function sceneParts({ scene, start, answer, end }: Timed, index: number, total: number, theme: Theme) {
  const remark = scene.remark === undefined ? [] : [`\u001b[2m${scene.remark}\u001b[22m`];
  const typed = [...remark, `$ ${scene.command}`];
  const whole = [...typed, ...scene.output.trimEnd().split('\n')];
  const at = (seconds: number) => `${((seconds / total) * 100).toFixed(3)}%`;
  const visible = (from: number, to: number) =>
    `0%{visibility:hidden}${at(from)}{visibility:visible}${at(to)}{visibility:hidden}`;
  const [begin, stop] = [start + pause, start + pause + typing];
  const length = scene.command.length;
  const x = margin + 2 * charWidth;
  const y = margin + remark.length * lineHeight;
  const cover = `<rect class="cover" id="c${index}" x="${x.toFixed(1)}" y="${y}" width="${Math.ceil((length + 1) * charWidth)}" height="${lineHeight}" fill="${palettes[theme].background}"/>`;
  const moved = `transform:translateX(${(length * charWidth).toFixed(1)}px)`;
  return {
    style: `#t${index}{animation-name:t${index}}#a${index}{animation-name:a${index}}#c${index}{animation-name:c${index}}
@keyframes t${index}{${visible(start, answer)}}
@keyframes a${index}{${visible(answer, end)}}
@keyframes c${index}{0%,${at(begin)}{transform:none;animation-timing-function:steps(${length})}${at(stop)},100%{${moved}}}`,
    drawing: `<g id="t${index}">${drawLines(typed, theme)}${cover}</g>
<g id="a${index}">${drawLines(whole.slice(-rows), theme)}</g>`,
  };
}

/** Returns everything that the recording shows. */
export function recordingText(scenes: readonly Scene[]): string {
  return scenes.map(({ remark = '', command, output }) => `${remark}\n$ ${command}\n${plainText(output)}`).join('\n');
}
