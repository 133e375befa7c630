/** The environment variables that the documentation asks users to set, with an example of each value. */

export const documentedVariables: ReadonlyMap<string, string> = new Map([
  ['WEBDATA_API_URL', 'https://api.example.com'],
  ['WEBDATA_API_KEY', 'KEY'],
  ['WEBDATA_MANAGER_URL', 'http://127.0.0.1:22999'],
  ['WEBDATA_MANAGER_TOKEN', 'TOKEN'],
  ['WEBDATA_TRIGGERS_URL', 'http://127.0.0.1:22997'],
  ['WEBDATA_TRIGGERS_TOKEN', 'TOKEN'],
  ['WEBDATA_BACKEND', 's3://BUCKET/PREFIX'],
  ['WEBDATA_ZONE_PASSWORD', 'PASSWORD'],
]);
