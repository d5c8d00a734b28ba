package dev.superstep.spring;

import dev.superstep.spring.SuperstepProperties.ModelSettings;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/// Holds if the properties name one model, or one that is called `default`.
final class OnStandardModel extends SpringBootCondition {
  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    var models =
        Binder.get(context.getEnvironment())
            .bind("superstep.models", Bindable.mapOf(String.class, ModelSettings.class))
            .orElse(Map.of());
    boolean isClear = models.size() == 1 || models.containsKey(Models.DEFAULT);
    var message = ConditionMessage.forCondition("Superstep's standard model");
    return isClear
        ? ConditionOutcome.match(message.foundExactly("superstep.models"))
        : ConditionOutcome.noMatch(message.because("superstep.models names none or several"));
  }
}
