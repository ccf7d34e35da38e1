//! Times as people read them.

/// Milliseconds since the beginning of 1970 as RFC 3339, UTC.
#[must_use]
pub fn rfc3339(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let fraction = milliseconds % 1000;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z")
}

/// Year, month and day of a day since the beginning of 1970, by counting in eras of 400 years that begin with March
/// (H. Hinnant, *chrono-Compatible Low-Level Date Algorithms*): the leap day is then the last of its year.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468; // from 0000-03-01
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::{civil, rfc3339};

    #[test]
    fn known_moments() {
        let cases = [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_000_000_000_001, "2001-09-09T01:46:40.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ];
        for (milliseconds, text) in cases {
            assert_eq!(rfc3339(milliseconds), text);
        }
        assert!(rfc3339(u64::MAX).ends_with('Z'));
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let leap =
            |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
        let mut expected = (1970, 1, 1);
        for day in 0..200_000 {
            assert_eq!(civil(day), expected);
            let (y, m, d) = expected;
            let length = match m {
                2 => 28 + u64::from(leap(y)),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected = match (m, d == length) {
                (12, true) => (y + 1, 1, 1),
                (_, true) => (y, m + 1, 1),
                _ => (y, m, d + 1),
            };
        }
    }
}
