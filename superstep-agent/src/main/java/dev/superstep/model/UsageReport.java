package dev.superstep.model;

import dev.superstep.checkpoint.Entry;
import dev.superstep.event.Event;
import dev.superstep.journal.Projection;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.json.Codec;
import java.util.ArrayList;
import java.util.List;

/// The usage of the models that the nodes of a thread asked, by model and source, read from its
/// journal. A call is counted once, also if its node ran again. A call that failed, or during which
/// the process died, reported no usage and is not counted. Immutable.
///
/// ```java
/// var used = ThreadJournal.of(store, "t-42").project(UsageReport.projection()).value();
/// ```
///
/// @param models in the order of their first calls
public record UsageReport(List<OfModel> models) {
  private static final UsageReport NONE = new UsageReport(List.of());

  /// The usage of a model.
  ///
  /// @param source whether it was really asked
  public record OfModel(String model, ChatReply.Source source, int calls, Usage usage) {
    private boolean isOf(ModelUse use) {
      return model.equals(use.model()) && source == use.source();
    }

    private OfModel plus(ModelUse use) {
      return new OfModel(model, source, calls + 1, usage.plus(use.usage()));
    }
  }

  public UsageReport {
    models = List.copyOf(models);
  }

  /// Makes the report of a journal.
  public static Projection<UsageReport> projection() {
    return new OfJournal();
  }

  /// The usage of all models together.
  public Usage total() {
    var sum = Usage.NONE;
    for (var model : models) sum = sum.plus(model.usage());
    return sum;
  }

  private UsageReport plus(ModelUse use) {
    var all = new ArrayList<>(models);
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).isOf(use)) continue;
      all.set(i, all.get(i).plus(use));
      return new UsageReport(all);
    }
    all.add(new OfModel(use.model(), use.source(), 1, use.usage()));
    return new UsageReport(all);
  }

  private record OfJournal() implements Projection<UsageReport> {
    @Override
    public String name() {
      return "usage";
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public Codec<UsageReport> codec() {
      return Codec.of(UsageReport.class);
    }

    @Override
    public UsageReport initial() {
      return NONE;
    }

    @Override
    public UsageReport fold(UsageReport report, Entry entry) {
      if (!(ThreadJournal.event(entry) instanceof Event.NodeEmitted told)) return report;
      if (!told.name().equals(ModelUse.RECORDED)) return report;
      return report.plus(told.payload().as(ModelUse.class));
    }
  }
}
