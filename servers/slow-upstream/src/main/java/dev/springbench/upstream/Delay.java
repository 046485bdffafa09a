package dev.springbench.upstream;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How long responses wait: evenly spread from the least to the most, which may be the same. */
record Delay(String text, long leastNs, long mostNs) {

    private static final Pattern FIXED = Pattern.compile("(\\d{1,7})");
    private static final Pattern UNIFORM = Pattern.compile("uniform\\((\\d{1,7}),\\s*(\\d{1,7})\\)");

    static Delay parse(String text) {
        Matcher fixed = FIXED.matcher(text);
        if (fixed.matches()) {
            return new Delay(text, nanos(fixed.group(1)), nanos(fixed.group(1)));
        }
        Matcher uniform = UNIFORM.matcher(text);
        if (uniform.matches() && nanos(uniform.group(1)) <= nanos(uniform.group(2))) {
            return new Delay(text, nanos(uniform.group(1)), nanos(uniform.group(2)));
        }
        throw new IllegalArgumentException("'" + text
                + "' is no delay: give milliseconds as a number such as 1000, or uniform(least,most)"
                + " such as uniform(0,1000)");
    }

    /** @param fraction from 0 to below 1 */
    long nanos(double fraction) {
        return leastNs + (long) (fraction * (mostNs - leastNs));
    }

    private static long nanos(String millis) {
        return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(millis));
    }

    static final class Converter implements ITypeConverter<Delay> {
        @Override
        public Delay convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException mistake) {
                throw new TypeConversionException(mistake.getMessage());
            }
        }
    }
}
