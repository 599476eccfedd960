import type { PageTexts } from "./en.ts";

export const es: PageTexts = {
  reference: "referencia",
  pages: {
    400: [
      "Solicitud incorrecta",
      "Tu navegador o tu aplicación ha enviado una solicitud que no se puede entender.",
    ],
    401: ["Inicia sesión", "Este sitio solo se muestra a quien inicia sesión."],
    403: ["Sin acceso", "Este sitio no se muestra en la red desde la que te conectas."],
    404: ["Aún sin configurar", "Este dominio está conectado, pero aquí no hay nada publicado."],
    405: ["Método no permitido", "Aquí no se atiende este tipo de solicitud."],
    408: ["Tiempo agotado", "La solicitud tardó demasiado en llegar."],
    413: ["Envío demasiado grande", "Lo que has enviado es más grande de lo que se acepta aquí."],
    417: ["Expectativa no cumplida", "La solicitud espera algo que aquí no se ofrece."],
    421: [
      "Dirección equivocada",
      "Esta conexión se abrió para otro nombre. Vuelve a cargar la página.",
    ],
    429: [
      "Demasiadas solicitudes",
      "Has enviado demasiadas solicitudes. Inténtalo de nuevo en un momento.",
    ],
    431: [
      "Solicitud demasiado grande",
      "Las cabeceras de la solicitud son más grandes de lo que se acepta aquí.",
    ],
    501: ["No admitido", "Lo que pide la solicitud no se ofrece aquí."],
    502: [
      "No se puede acceder al sitio",
      "El servidor que hay detrás de este dominio no respondió correctamente.",
    ],
    503: [
      "Demasiada actividad",
      "Ahora mismo hay demasiadas solicitudes. Inténtalo de nuevo en un momento.",
    ],
    504: [
      "El sitio tarda demasiado",
      "El servidor que hay detrás de este dominio no respondió a tiempo.",
    ],
    505: ["Versión no admitida", "Esta versión de HTTP no se ofrece aquí."],
    508: [
      "Bucle sin fin",
      "El servidor que hay detrás de este dominio devuelve las solicitudes al lugar del que vienen.",
    ],
    maintenance: [
      "En mantenimiento",
      "Este sitio no está disponible en este momento. Inténtalo de nuevo más tarde.",
    ],
    not_connected: [
      "No conectado",
      "Este nombre lleva aquí, pero no hay ningún sitio conectado a él. Si es tuyo, conéctalo o elimina su registro DNS.",
    ],
  },
};
