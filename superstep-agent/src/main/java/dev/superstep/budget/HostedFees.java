package dev.superstep.budget;

import dev.superstep.json.Json;
import dev.superstep.message.HostedCall;
import dev.superstep.message.Message;
import dev.superstep.model.ModelRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/// The fees that vendors charge for tools that they run, such as a web search, in addition to
/// tokens. They are counted by the calls that a reply contains. The first fee that matches a call
/// applies; a call without a fee is free. Immutable; the `with` methods return changed copies.
///
/// ```java
/// HostedFees.standard().with(HostedFees.Fee.perCall("openai", "web_search", "0.02"))
/// ```
///
/// @param currency an ISO code
/// @param date of the standard fees, on which they were taken from the vendors' pages
/// @param fees the first that matches a call applies
public record HostedFees(String currency, LocalDate date, List<Fee> fees) {
  private static final String RESOURCE = "hosted-fees.json";

  public HostedFees {
    currency = Currency.getInstance(currency).getCurrencyCode();
    fees = List.copyOf(fees);
  }

  /// The unit that a fee is for.
  public enum Per {
    /// Each call that did not fail.
    CALL,
    /// Each reply that contains such a call: for containers, since replies do not state their time.
    REPLY
  }

  /// A fee.
  ///
  /// @param vendor the scheme of the vendor's model URLs
  /// @param models the beginning of the names of the models that it is for; empty for all
  /// @param kind what the tool does: [HostedCall#kind]
  /// @param amount for one unit
  /// @param source where it is from
  public record Fee(
      String vendor, String models, String kind, Per per, BigDecimal amount, String source) {
    public Fee {
      if (amount.signum() < 0) throw new IllegalArgumentException("amount must not be negative");
    }

    /// A fee for each call, of all models of a vendor.
    public static Fee perCall(String vendor, String kind, String amount) {
      return new Fee(vendor, "", kind, Per.CALL, new BigDecimal(amount), "the program");
    }

    /// A fee for each reply with such a call, of all models of a vendor.
    public static Fee perReply(String vendor, String kind, String amount) {
      return new Fee(vendor, "", kind, Per.REPLY, new BigDecimal(amount), "the program");
    }

    private boolean isOf(ModelRef model, HostedCall call) {
      return vendor.equals(call.vendor())
          && kind.equals(call.kind())
          && model.model().startsWith(models);
    }
  }

  /// No fees.
  public static HostedFees none(String currency) {
    return new HostedFees(currency, LocalDate.EPOCH, List.of());
  }

  /// The fees of Anthropic, OpenAI and Gemini in US dollars, without free quotas and discounts.
  /// [#date] and [Fee#source] say when and where they were taken.
  public static HostedFees standard() {
    return Standard.FEES;
  }

  /// Returns a copy where this fee applies before the others.
  public HostedFees with(Fee fee) {
    var all = new ArrayList<Fee>();
    all.add(fee);
    all.addAll(fees);
    return new HostedFees(currency, date, all);
  }

  /// The fees for a reply.
  ///
  /// @param model that made it
  public BigDecimal of(ModelRef model, Message reply) {
    var sum = BigDecimal.ZERO;
    var counted = new HashSet<Fee>();
    for (var call : HostedCall.of(reply)) {
      var fee = fees.stream().filter(one -> one.isOf(model, call)).findFirst();
      if (fee.isEmpty() || (call.failed() && fee.get().per() == Per.CALL)) continue;
      if (fee.get().per() == Per.REPLY && !counted.add(fee.get())) continue;
      sum = sum.add(fee.get().amount());
    }
    return sum;
  }

  /// The fees of the resource; read once, when they are needed.
  private static final class Standard {
    static final HostedFees FEES = read();

    private static HostedFees read() {
      try (var in = HostedFees.class.getResourceAsStream(RESOURCE)) {
        var bytes = Objects.requireNonNull(in, RESOURCE).readAllBytes();
        return Json.parse(new String(bytes, StandardCharsets.UTF_8)).as(HostedFees.class);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
