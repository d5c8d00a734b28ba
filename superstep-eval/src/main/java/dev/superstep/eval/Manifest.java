package dev.superstep.eval;

import java.time.Instant;
import java.util.List;

/// The identity of an evaluation, as it is saved with its name. Immutable.
///
/// @param subject the name of the subject
/// @param subjectVersion the version of the subject
/// @param dataset the digest of the dataset
/// @param checks the versions of the checks
/// @param cases the ids of all cases of the dataset, in order
/// @param generation counts how often the name was started anew, from 1
/// @param began when this generation was started
public record Manifest(
    String subject,
    String subjectVersion,
    String dataset,
    List<String> checks,
    List<String> cases,
    int generation,
    Instant began) {
  public Manifest {
    checks = List.copyOf(checks);
    cases = List.copyOf(cases);
  }
}
