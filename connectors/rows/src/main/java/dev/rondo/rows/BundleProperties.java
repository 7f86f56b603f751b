package dev.rondo.rows;

/**
 * What a policy says of an archive, without what identifies it ({@link Bundle}).
 *
 * @param xff least known share, 0..1
 * @param whisper whether the policy is in Whisper mode
 * @param aggregate function that the policy is shown by
 */
public record BundleProperties(double xff, boolean whisper, String aggregate) {}
