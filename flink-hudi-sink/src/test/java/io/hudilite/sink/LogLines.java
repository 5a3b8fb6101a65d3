package io.hudilite.sink;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What one logger says, of all jobs in this JVM, until it is closed. */
final class LogLines implements AutoCloseable {
  private final List<String> texts = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final AbstractAppender appender =
      new AbstractAppender("lines", null, null, false, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          texts.add(event.getMessage().getFormattedMessage());
        }
      };

  private LogLines(Logger logger) {
    this.logger = logger;
    appender.start();
    logger.addAppender(appender);
  }

  /** Those of at least level INFO. */
  static LogLines of(String logger) {
    Logger found = (Logger) LogManager.getLogger(logger);
    if (!found.isInfoEnabled()) {
      found.setLevel(org.apache.logging.log4j.Level.INFO);
    }
    return new LogLines(found);
  }

  List<String> texts() {
    return List.copyOf(texts);
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    appender.stop();
  }
}
