/// Batches of model calls: vendors answer them within hours, at half the price. A run waits for its
/// answer as it waits for a person: saved, in no process.
///
/// Start at [dev.superstep.batch.ModelBatches].
@org.jspecify.annotations.NullMarked
package dev.superstep.batch;
