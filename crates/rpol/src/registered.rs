//! Enums of types that share a trait: one line registers a type.

/// The enum, with a variant per type and its documentation; the types, public; and the method that gives whichever type it is
/// as the trait. The files' `mod` lines stay outside, where rustfmt sees them.
macro_rules! registered {
    (
        $(#[$meta:meta])*
        pub enum $name:ident as $method:ident -> $shared:ident {
            $($(#[$doc:meta])* $file:ident::$variant:ident,)+
        }
    ) => {
        $(pub use $file::$variant;)+

        $(#[$meta])*
        pub enum $name {
            $($(#[$doc])* $variant($variant),)+
        }

        impl $name {
            pub(crate) fn $method(&self) -> &dyn $shared {
                match self {
                    $(Self::$variant(own) => own,)+
                }
            }
        }
    };
}

pub(crate) use registered;
