/// Triage: a desk that a model reads for and a person decides for. Start at
/// [dev.superstep.example.triage.TriageProgram].
@org.jspecify.annotations.NullMarked
package dev.superstep.example.triage;
