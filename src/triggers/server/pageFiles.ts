/** The files of the status page, which the server sends and the build copies. */
export const pageFiles = [
  'page.html',
  'page.css',
  'icon.svg',
  'main.js',
  'api.js',
  'dialogs.js',
  'dom.js',
  'live.js',
  'runs.js',
  'schedules.js',
  'timeline.js',
  'words.js',
] as const;
