package dev.superstep.rag.review;

import java.time.Instant;

/// An approval of exactly one text, by a person, for a time. Only [ReviewGate] makes ones that
/// count. Immutable.
///
/// @param hash of what was approved: [ReviewGate#hash]
/// @param approver the person, as the host knows it
/// @param signature of all the others, by the key of the host
public record SignedApproval(
    String hash, String approver, Instant given, Instant expires, String signature) {}
