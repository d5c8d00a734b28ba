package dev.superstep.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/// What a child printed of one metric; see [dev.superstep.bench.measure.Recorder].
///
/// @param wrong what was wrong with the result, or empty
record Sample(
    String workload,
    @JsonProperty("case") String name,
    String system,
    String variant,
    String metric,
    String wrong,
    List<Double> values) {
  Sample {
    values = List.copyOf(values);
  }
}
