//! A picture in the form that services take: PNG or JPEG, upright, not larger than they look at.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::{
    DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageFormat, ImageReader, Limits,
    Rgb, RgbImage,
};

use super::IntakeError;

/// The longer side in pixels. Services shrink what is larger, and charge for it or refuse it.
const LONGEST_SIDE: u32 = 2_048;

/// The strictest service takes 5 MB in base64.
const LARGEST: usize = 3_700_000;

/// What decoding may take: a small file can claim to be endless.
const MOST_MEMORY: u64 = 512 * 1024 * 1024;
const MOST_PIXELS_A_SIDE: u32 = 30_000;

const QUALITY: u8 = 88;

/// The format of a picture; none if the bytes are no picture that can be read here.
pub(super) fn format(bytes: &[u8]) -> Option<ImageFormat> {
    image::guess_format(bytes).ok().filter(|format| {
        matches!(
            format,
            ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Gif | ImageFormat::WebP
        )
    })
}

/// The picture as it is sent, with its type. Of one that moves, the first frame.
pub(super) fn settle(
    bytes: &[u8],
    format: ImageFormat,
) -> Result<(&'static str, Vec<u8>), IntakeError> {
    let picture = decode(bytes, format).map_err(|error| unreadable(&error))?;
    let picture = if picture.width().max(picture.height()) > LONGEST_SIDE {
        picture.resize(LONGEST_SIDE, LONGEST_SIDE, FilterType::CatmullRom)
    } else {
        picture
    };
    // A photograph stays one; what was drawn keeps its sharp edges as long as it is small enough.
    if format != ImageFormat::Jpeg {
        let drawn = png(&picture).map_err(|error| unreadable(&error))?;
        if drawn.len() <= LARGEST {
            return Ok(("image/png", drawn));
        }
    }
    let photograph = jpeg(&picture).map_err(|error| unreadable(&error))?;
    if photograph.len() > LARGEST {
        return Err(IntakeError::TooLarge);
    }
    Ok(("image/jpeg", photograph))
}

fn decode(bytes: &[u8], format: ImageFormat) -> image::ImageResult<DynamicImage> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_MEMORY);
    limits.max_image_width = Some(MOST_PIXELS_A_SIDE);
    limits.max_image_height = Some(MOST_PIXELS_A_SIDE);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let orientation = decoder.orientation()?;
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

fn png(picture: &DynamicImage) -> image::ImageResult<Vec<u8>> {
    let mut out = Vec::new();
    // Eight bits a channel are all that models see.
    let picture = if picture.color().has_alpha() {
        DynamicImage::from(picture.to_rgba8())
    } else {
        DynamicImage::from(picture.to_rgb8())
    };
    picture.write_with_encoder(PngEncoder::new(&mut out))?;
    Ok(out)
}

fn jpeg(picture: &DynamicImage) -> image::ImageResult<Vec<u8>> {
    let mut out = Vec::new();
    let flat = on_white(picture);
    JpegEncoder::new_with_quality(&mut out, QUALITY).write_image(
        flat.as_raw(),
        flat.width(),
        flat.height(),
        ExtendedColorType::Rgb8,
    )?;
    Ok(out)
}

/// JPEG knows no transparency; on black, dark writing would vanish.
fn on_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let picture = picture.to_rgba8();
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, alpha] = picture.get_pixel(x, y).0;
        let over = |colour: u8| {
            let mixed = u16::from(colour) * u16::from(alpha) + 255 * (255 - u16::from(alpha));
            u8::try_from(mixed / 255).unwrap_or(u8::MAX)
        };
        Rgb([over(red), over(green), over(blue)])
    })
}

fn unreadable(error: &image::ImageError) -> IntakeError {
    IntakeError::Picture(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};

    use super::{LONGEST_SIDE, format, on_white, settle};
    use crate::intake::IntakeError;

    /// A picture of changing colours whose left edge is transparent.
    fn picture(width: u32, height: u32) -> DynamicImage {
        let shade = |at: u32| u8::try_from(at % 256).expect("it is a byte");
        RgbaImage::from_fn(width, height, |x, y| {
            Rgba([shade(x), shade(y), 7, if x == 0 { 0 } else { 255 }])
        })
        .into()
    }

    fn written(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        let picture = match format {
            ImageFormat::Jpeg => DynamicImage::from(picture.to_rgb8()),
            _ => picture.clone(),
        };
        picture.write_to(&mut out, format).expect("it is written");
        out.into_inner()
    }

    #[test]
    fn each_kind_becomes_one_that_every_service_takes() {
        for (given, media_type) in [
            (ImageFormat::Png, "image/png"),
            (ImageFormat::Gif, "image/png"),
            (ImageFormat::WebP, "image/png"),
            (ImageFormat::Jpeg, "image/jpeg"),
        ] {
            let bytes = written(&picture(20, 10), given);
            assert_eq!(format(&bytes), Some(given));
            let (kept, content) = settle(&bytes, given).expect("it is a picture");
            assert_eq!(kept, media_type, "{given:?}");
            let read = image::load_from_memory(&content).expect("it can be read");
            assert_eq!((read.width(), read.height()), (20, 10), "{given:?}");
        }
    }

    #[test]
    fn a_large_picture_is_made_smaller_in_its_own_shape() {
        let bytes = written(&picture(2_200, 110), ImageFormat::Png);
        let (_, content) = settle(&bytes, ImageFormat::Png).expect("it is a picture");
        let read = image::load_from_memory(&content).expect("it can be read");
        assert_eq!(
            (read.width(), read.height()),
            (LONGEST_SIDE, LONGEST_SIDE / 20)
        );
    }

    #[test]
    fn a_picture_that_is_cut_or_claims_to_be_endless_is_refused() {
        let bytes = written(&picture(40, 40), ImageFormat::Png);
        let cut = &bytes[..bytes.len() / 2];
        let mut endless = bytes.clone();
        endless[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
        for broken in [cut, &endless] {
            assert!(matches!(
                settle(broken, ImageFormat::Png),
                Err(IntakeError::Picture(_))
            ));
        }
    }

    #[test]
    fn what_shines_through_becomes_white() {
        let flat = on_white(&picture(2, 1));
        assert_eq!(flat.get_pixel(0, 0).0, [255, 255, 255]);
        assert_eq!(flat.get_pixel(1, 0).0, [1, 0, 7]);
    }

    #[test]
    fn what_a_camera_wrote_into_a_picture_is_not_kept() {
        let mut bytes = written(&picture(8, 8), ImageFormat::Jpeg);
        let note = b"Exif\0\0II*\0\x08\0\0\0\0\0 GPS 39.9,116.4";
        let length = u16::try_from(note.len() + 2)
            .expect("it is short")
            .to_be_bytes();
        let segment = [&[0xff, 0xe1][..], &length, note].concat();
        bytes.splice(2..2, segment);
        let (_, content) = settle(&bytes, ImageFormat::Jpeg).expect("it is a picture");
        assert!(!content.windows(3).any(|part| part == b"GPS"));
    }
}
