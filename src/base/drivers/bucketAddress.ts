/** Addresses of buckets: `s3://BUCKET/PREFIX`. */

export interface BucketAddress {
  bucket: string;
  /** Without leading and trailing slashes; may be empty. */
  prefix: string;
}

/** Parses `s3://BUCKET/PREFIX`. Returns undefined for anything else. */
export function bucketAddress(text: string): BucketAddress | undefined {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/s.exec(text) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix: prefix.replaceAll(/^\/+|\/+$/g, '') };
}

/** Joins a bucket and a prefix to `s3://BUCKET/PREFIX`. */
export function bucketName({ bucket, prefix }: BucketAddress): string {
  return `s3://${[bucket, prefix].filter((part) => part !== '').join('/')}`;
}
